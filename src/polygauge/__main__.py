"""`python -m polygauge` is the command."""

from polygauge.cli import main

main()
