import { CODEX } from './drivers/codex.ts'
import { tellStory } from './host-story.ts'

tellStory(CODEX)
