# Proves that the host answers.
finish
