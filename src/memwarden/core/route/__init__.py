"""What a task is told, and why."""
