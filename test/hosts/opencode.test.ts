import { OPENCODE } from './drivers/opencode.ts'
import { tellStory } from './host-story.ts'

tellStory(OPENCODE)
