"""What a set of questions holds, and whether it is worth asking."""
