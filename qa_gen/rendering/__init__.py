"""What a model would see of questions: their pictures and text, in any style."""
