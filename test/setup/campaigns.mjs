import suite from '../../jest.config.js';

/** Configuration of the slow tests: `npm run test:campaigns`. */
export default { ...suite, rootDir: '../..', testMatch: ['**/*.campaign.ts'] };
