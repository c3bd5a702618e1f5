enum QwinkleResources {}
