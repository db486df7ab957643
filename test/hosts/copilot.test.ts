import { COPILOT } from './drivers/copilot.ts'
import { tellStory } from './host-story.ts'

tellStory(COPILOT)
