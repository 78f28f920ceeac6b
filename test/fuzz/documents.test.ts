import { documentCases } from './document-cases.js';

documentCases();
