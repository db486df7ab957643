import { GEMINI_CLI } from './drivers/gemini.ts'
import { tellStory } from './host-story.ts'

tellStory(GEMINI_CLI)
