/** The languages whose words are stemmed. Text in any other is indexed as `en`: folded, and found by its exact words. */
export type Language = 'en' | 'pt'

export const LANGUAGES = ['en', 'pt'] as const satisfies readonly Language[]
