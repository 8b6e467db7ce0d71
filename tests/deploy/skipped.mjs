// Where a test cannot run for want of something: a loud word, never a silent success.

/** What ctest is told to take as "skipped" (CMakeLists.txt). */
const skipped = 77;

/**
 * Ends the process because `subject` ("the container is") cannot be tested without `wanted`: as
 * skipped or, where `required`, as failed.
 */
export function goWithout(subject, wanted, required = false) {
  console.log(`
################################################################################
${required ? 'FAILED' : 'SKIPPED'}: ${subject} NOT TESTED here, for want of ${wanted}.
################################################################################`);
  process.exit(required ? 1 : skipped);
}
