"""Do the tests notice a fault? Single faults are put into rules and figures, one at a time; ``make mutants``."""
