import { useWords } from '../../language/language.tsx'
import { goTo, useViewLocation } from '../../router.ts'
import { ScopeNotice } from '../../ui/scope-notice.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { JournalTab } from './journal-tab.tsx'
import { OverviewTab } from './overview-tab.tsx'
import { UpkeepTab } from './upkeep-tab.tsx'
import { healthWords } from './words.ts'
import '../../ui/overview.css'
import './health.css'

const TABS = ['overview', 'upkeep', 'journal'] as const
type TabName = (typeof TABS)[number]

/** The health of the memory, the archive, and the journal. */
export default function Health() {
  const words = useWords(healthWords)
  const { params } = useViewLocation()
  const chosen = TABS.find(name => name === params.tab) ?? 'overview'
  return (
    <div className="stack overview">
      <h1>{words.title}</h1>
      <Tabs<TabName>
        label={words.parts}
        tabs={TABS.map(name => ({ name, label: words.tabs[name] }))}
        chosen={chosen}
        onChoose={name => goTo('health', name === 'overview' ? {} : { tab: name })}
      >
        {chosen !== 'overview' && <ScopeNotice needs="write" />}
        {chosen === 'overview' && <OverviewTab />}
        {chosen === 'upkeep' && <UpkeepTab />}
        {chosen === 'journal' && <JournalTab />}
      </Tabs>
    </div>
  )
}
