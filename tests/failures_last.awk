# Passes ctest's output on, and says what failed once more where its list of failed tests begins:
# of a long run, the last lines are often all that somebody keeps.
BEGIN { kept_max = 40 }

/: Failure$|^\[  FAILED  \] |^ *(✖|not ok) |AssertionError|Sanitizer: |: runtime error: |what\(\):/ {
  following = 5
}

/^$/ { following = 0 }

following > 0 && kept < kept_max {
  --following
  failures[++kept] = substr($0, 1, 200)
}

/^The following tests FAILED:$/ {
  print "What they said:"
  for (i = 1; i <= kept; ++i) print "  " failures[i]
  print ""
}

{ print; fflush() }
