"""The version of the package, which is that of the program in its wheels."""

__version__ = "1.0.0"
