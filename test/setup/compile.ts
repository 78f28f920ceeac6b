/**
 * Imports the gateway and common modules of tests, to fill the caches of typescript.mjs, from which the workers load
 * them.
 */
import 'reflect-metadata';
import '../support/gateway.js';
import '../support/people.js';

process.exit();
