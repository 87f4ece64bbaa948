//! The painted surfaces against closed forms.
