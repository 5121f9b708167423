"""What reproductions share. Every module here is copied into the program that a child process runs, so each
imports only the standard library and this room at its top; torch is imported inside functions."""
