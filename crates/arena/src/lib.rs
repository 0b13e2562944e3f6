//! Where engines meet: the protocols they speak, the referee and the ratings.

pub mod face;
