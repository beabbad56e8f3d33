"""Ratios against the usual implementations, measured side by side in one run."""
