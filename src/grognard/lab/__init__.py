"""The lab: scenarios played thousands of times, to see whether they are fair."""
