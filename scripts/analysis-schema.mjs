/** The JSON Schema of analysis.json, derived from the zod schema in src/model/analysis.ts and never edited. */
import { z } from 'zod';

/** Text of schema/analysis-1.json. Takes the module, so that the build gives what it built and the test the source. */
export function schemaText({ analysisSchema, ANALYSIS_SCHEMA }) {
  return `${JSON.stringify({ $id: ANALYSIS_SCHEMA, ...z.toJSONSchema(analysisSchema) }, null, 2)}\n`;
}
