// The stream client of the terminal program passes the case of every client library.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { binaries } from '../../e2e/harness/server.mjs';
import { losesNothing } from '../conformance.mjs';

losesNothing((...args) => spawn(path.join(binaries, 'client_author'), args));
