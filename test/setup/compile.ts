/** Loads the gateway and what most tests import, and so fills the caches of typescript.mjs, from which the workers load them. */
import 'reflect-metadata';
import '../support/gateway.js';
import '../support/people.js';

process.exit();
