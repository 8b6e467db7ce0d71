# Passes ctest's output on. Before the summary it prints the ten slowest tests, and where the list
# of failed tests begins, once more what they said: of a long run, the last lines are often all that
# somebody keeps.
BEGIN { kept_max = 40; slowest_max = 10 }

# "12/34 Test  #5: name ......   Passed    1.23 sec"
/^ *[0-9]+\/[0-9]+ Test +#[0-9]+: .* sec *$/ {
  seconds = $(NF - 1)
  name = $0
  sub(/^.*#[0-9]+: /, "", name)
  sub(/ .*/, "", name)
  for (i = slowest_max; i > 1 && seconds > slowest[i - 1] + 0; --i) {
    slowest[i] = slowest[i - 1]
    names[i] = names[i - 1]
  }
  if (seconds > slowest[i] + 0) { slowest[i] = seconds; names[i] = name }
}

/% tests passed, / {
  print "The slowest tests, in seconds:"
  for (i = 1; i <= slowest_max && names[i] != ""; ++i) printf "  %8.1f  %s\n", slowest[i], names[i]
  print ""
}

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
