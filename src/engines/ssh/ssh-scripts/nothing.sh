# Does nothing. Proves that the host responds.
finish
