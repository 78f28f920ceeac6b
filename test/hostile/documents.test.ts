import { documentLaws } from './document-laws.js';

documentLaws();
