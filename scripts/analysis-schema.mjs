/** The JSON Schemas that the package ships, derived from the zod schemas in src/model and never edited. */
import { z } from 'zod';

const text = (id, schema) => `${JSON.stringify({ $id: id, ...z.toJSONSchema(schema) }, null, 2)}\n`;

/** Text of schema/analysis-1.json. Takes the module, so that the build gives what it built and the test the source. */
export const schemaText = ({ analysisSchema, ANALYSIS_SCHEMA }) => text(ANALYSIS_SCHEMA, analysisSchema);

/** Text of schema/config-1.json. */
export const configSchemaText = ({ configSchema, CONFIG_SCHEMA }) => text(CONFIG_SCHEMA, configSchema);
