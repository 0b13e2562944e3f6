//! Textbook search.
