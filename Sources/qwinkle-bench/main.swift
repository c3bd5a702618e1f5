// Ratios measured in one run: what one thing costs beside another on the same machine, at the same time. Absolute times
// are for looking at, not for comparing machines.

let benches: [any Bench] = [ListBench(), FrameBench(), DecodeBench(), CacheBench()]
for bench in benches { bench.run() }
