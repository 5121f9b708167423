"""What is known beside the rules: tables of facts and real cases, and which cases resemble a failure."""
