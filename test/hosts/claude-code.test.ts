import { CLAUDE_CODE } from './drivers/claude-code.ts'
import { tellStory } from './host-story.ts'

tellStory(CLAUDE_CODE)
