"""The version of the package, which is that of the program in its wheels."""

__version__ = "0.1.0"
