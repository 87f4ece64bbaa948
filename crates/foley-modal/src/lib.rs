//! Shapes to modal models.
