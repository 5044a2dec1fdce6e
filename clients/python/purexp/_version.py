"""The version of the package. The program in the wheels has the same version."""

__version__ = "1.0.0"
