/** An analysis that was made with the data of jobs in it is shown without, unless somebody asks for them again. */
import { type Analysis, analysisSchema } from '../model/analysis.js';

export function withoutQuotes(analysis: Analysis): Analysis {
  const text = JSON.stringify(analysis);
  if (!text.includes('"quote":')) return analysis;
  return analysisSchema.parse(
    JSON.parse(text, (_, value: unknown) => {
      if (typeof value !== 'object' || value === null || !('quote' in value) || !('source' in value)) return value;
      const { quote: __, ...rest } = value;
      return rest;
    }),
  );
}
