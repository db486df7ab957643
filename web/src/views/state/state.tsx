import { isHub } from '../../api/hub-address.ts'
import { useWords } from '../../language/language.tsx'
import { goTo, useViewLocation } from '../../router.ts'
import { ScopeNotice } from '../../ui/scope-notice.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { CheckpointsTab } from './checkpoints-tab.tsx'
import { HotTab } from './hot-tab.tsx'
import { NowTab } from './now-tab.tsx'
import { stateWords } from './words.ts'
import { WorkspacesTab } from './workspaces-tab.tsx'
import '../../ui/overview.css'
import './state.css'

const ALL_TABS = ['now', 'checkpoints', 'workspaces', 'hot'] as const
type TabName = (typeof ALL_TABS)[number]
/** Workspaces and rule files are files of a repository, which a hub does not have. */
const TABS: readonly TabName[] = isHub ? ['now', 'checkpoints'] : ALL_TABS

/** The state of the project, its checkpoints, the workspaces and the hot memory. */
export default function State() {
  const words = useWords(stateWords)
  const { params } = useViewLocation()
  const chosen = TABS.find(name => name === params.tab) ?? 'now'
  return (
    <div className="stack overview">
      <h1>{words.title}</h1>
      {(chosen === 'now' || chosen === 'checkpoints') && <ScopeNotice needs="write" />}
      <Tabs<TabName>
        label={words.parts}
        tabs={TABS.map(name => ({ name, label: words.tabs[name] }))}
        chosen={chosen}
        onChoose={name => goTo('state', name === 'now' ? {} : { tab: name })}
      >
        {chosen === 'now' && <NowTab />}
        {chosen === 'checkpoints' && <CheckpointsTab />}
        {chosen === 'workspaces' && <WorkspacesTab />}
        {chosen === 'hot' && <HotTab />}
      </Tabs>
    </div>
  )
}
