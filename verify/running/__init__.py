"""Running a check: configurations, tasks, workers, caches and reports."""
