// Holds the precompiled header that every target with PCH reuses.
