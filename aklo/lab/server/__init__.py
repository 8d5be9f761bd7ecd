"""What all visitors share: cache, worker process, tuning."""
