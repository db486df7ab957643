/** The only place that reads environment variables. */
interface Environment {
  readonly root: string | undefined
  readonly agent: string | undefined
  readonly session: string | undefined
  readonly host: string | undefined
  readonly editor: string | undefined
  /** The database of a hub, with its password: typed arguments are visible in every process list. */
  readonly store: string | undefined
  readonly noColour: boolean
  /** Inside a process that Cairn itself started to ask a host's model. Nothing is captured or asked. */
  readonly isInternal: boolean
  /** A trial by `cairn doctor` in a project that is removed afterwards: nothing may outlive the call. */
  readonly isTrial: boolean
  /** The checkout of a GitHub Actions run; undefined outside of GitHub Actions. */
  readonly actionsCheckout: string | undefined
}

const INTERNAL_VARIABLE = 'CAIRN_INTERNAL'
const TRIAL_VARIABLE = 'CAIRN_TRIAL'

export function readEnvironment(variables: NodeJS.ProcessEnv = process.env): Environment {
  return {
    root: variables.CAIRN_ROOT || undefined,
    agent: variables.CAIRN_AGENT || undefined,
    session: variables.CAIRN_SESSION || undefined,
    host: variables.CAIRN_HOST || undefined,
    store: variables.CAIRN_STORE || undefined,
    editor: variables.VISUAL || variables.EDITOR || undefined,
    noColour: Boolean(variables.NO_COLOR) || variables.TERM === 'dumb',
    isInternal: Boolean(variables[INTERNAL_VARIABLE]),
    isTrial: Boolean(variables[TRIAL_VARIABLE]),
    actionsCheckout: variables.GITHUB_ACTIONS === 'true' ? (variables.GITHUB_WORKSPACE ?? '') : undefined,
  }
}

/** Shows a hook which host runs it: each host sets variables of its own. */
export function hostVariables(variables: NodeJS.ProcessEnv = process.env): {
  readonly isClaudeCode: boolean
  readonly isCursor: boolean
  readonly isCopilot: boolean
} {
  return {
    isClaudeCode: Boolean(variables.CLAUDECODE || variables.CLAUDE_CODE_SESSION_ID),
    isCursor: Boolean(variables.CURSOR_VERSION),
    isCopilot: Boolean(variables.COPILOT_CLI),
  }
}

/** Shows a process of ours that it runs without a person. */
export function automationVariables(variables: NodeJS.ProcessEnv = process.env): {
  readonly isCi: boolean
  readonly isClaudeAttended: boolean | undefined
} {
  const { CI, CLAUDE_CODE_SESSION_ATTENDED: attended, CLAUDE_CODE_ENTRYPOINT: entrypoint } = variables
  return {
    isCi: CI !== undefined && !/^(?:|0|false)$/i.test(CI),
    isClaudeAttended:
      attended === '0' || entrypoint?.startsWith('sdk') === true
        ? false
        : attended === '1'
          ? true
          : undefined,
  }
}

/** A variable that the configuration names, such as the one with a key. */
export function environmentVariable(
  name: string,
  variables: NodeJS.ProcessEnv = process.env,
): string | undefined {
  return variables[name] || undefined
}

/** Sets another user folder for this process and its children: a build must not depend on the user who runs it. */
export function setUserFolder(folder: string, variables: NodeJS.ProcessEnv = process.env): void {
  variables.CAIRN_HOME = folder
}

/** For a program that Cairn starts: what it needs to run and to log in, without the session that started it. */
export function internalEnvironment(variables: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const kept = Object.entries(variables).filter(
    ([name]) => !/^(?:CAIRN_|CLAUDECODE$|CLAUDE_CODE_SESSION)/.test(name),
  )
  return { ...Object.fromEntries(kept), [INTERNAL_VARIABLE]: '1' }
}

/** For a program that is tried as a host would start it: with another user's folder, and without the session that started it. */
export function trialEnvironment(
  userFolder: string,
  more: Readonly<Record<string, string>>,
  variables: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv {
  const kept = Object.entries(variables).filter(
    ([name]) => !/^(?:CAIRN_|CLAUDECODE$|CLAUDE_CODE_|CURSOR_|GEMINI_|CODEX_)/.test(name),
  )
  return { ...Object.fromEntries(kept), ...more, CAIRN_HOME: userFolder, [TRIAL_VARIABLE]: '1' }
}

/** For a host's program that only answers questions: it has no network access. */
export function offlineEnvironment(variables: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const nowhere = 'http://127.0.0.1:9'
  return {
    ...variables,
    HTTP_PROXY: nowhere,
    HTTPS_PROXY: nowhere,
    http_proxy: nowhere,
    https_proxy: nowhere,
    NO_PROXY: '127.0.0.1,localhost',
    DISABLE_AUTOUPDATER: '1',
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  }
}

/** For git in an untrusted repository: without the caller's git variables, and git neither fetches nor prompts. */
export function gitEnvironment(variables: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const kept = Object.entries(variables).filter(
    ([name]) => !/^GIT_(?:DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|COMMON_DIR|CONFIG|TRACE)/.test(name),
  )
  return {
    ...Object.fromEntries(kept),
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_OPTIONAL_LOCKS: '0',
    LC_ALL: 'C',
  }
}
