"""Answers given again while everything that they rest on stands."""
