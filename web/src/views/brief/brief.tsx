import { useWords } from '../../language/language.tsx'
import { goTo, useViewLocation } from '../../router.ts'
import { Tabs } from '../../ui/tabs.tsx'
import { Preview } from './preview.tsx'
import { SentBriefs } from './sent-briefs.tsx'
import { briefWords } from './words.ts'
import './brief.css'

/** The briefs of agents: a preview, and the ones already sent. */
export default function Brief() {
  const words = useWords(briefWords)
  const chosen = useViewLocation().params.part === 'given' ? 'given' : 'preview'
  return (
    <section className="brief stack" aria-labelledby="brief-title">
      <h1 id="brief-title">{words.title}</h1>
      <Tabs
        label={words.parts}
        tabs={[
          { name: 'preview', label: words.preview },
          { name: 'given', label: words.sent },
        ]}
        chosen={chosen}
        onChoose={part => goTo('brief', part === 'given' ? { part } : {})}
      >
        <div className="stack">{chosen === 'given' ? <SentBriefs /> : <Preview />}</div>
      </Tabs>
    </section>
  )
}
