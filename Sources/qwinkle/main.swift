import QwinkleApp

QwinkleProgram.main()
