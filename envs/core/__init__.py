"""What all games share: records, rules, kernels, environments and conformance."""
