//! Format of numbers in messages and documents.

/// Formats a number, very large and very small ones with an exponent instead of a row of zeros.
///
/// ```
/// use foley_geometry::number_format::format_number;
/// assert_eq!([0.0, 0.25, 1e13].map(format_number), ["0", "0.25", "1e13"]);
/// ```
pub fn format_number(x: f64) -> String {
    if x != 0.0 && !(1e-3..1e6).contains(&x.abs()) { format!("{x:e}") } else { x.to_string() }
}
