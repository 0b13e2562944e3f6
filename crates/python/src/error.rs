//! Errors as Python exceptions: bad input is a `ValueError`, a search that cannot answer a `RuntimeError`.

use api::Problem;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::{PyErr, create_exception};

create_exception!(
    tengen,
    IllegalMove,
    PyValueError,
    "The rules do not allow this move; the board is unchanged."
);
create_exception!(tengen, EngineError, PyRuntimeError, "An engine gave no move.");

/// Bad input: what was wrong and what is accepted.
pub(crate) fn bad(error: impl ToString) -> PyErr {
    PyValueError::new_err(error.to_string())
}

pub(crate) fn illegal(error: game::IllegalMove) -> PyErr {
    IllegalMove::new_err(error.to_string())
}

pub(crate) fn engine(error: game::EngineError) -> PyErr {
    match error {
        game::EngineError::Option { .. } => bad(error),
        other => EngineError::new_err(other.to_string()),
    }
}

pub(crate) fn problem(problem: &Problem) -> PyErr {
    bad(&problem.detail)
}
