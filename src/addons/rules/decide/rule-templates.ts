/** The three files of seed B, section 4.1, with their budgets. Users are expected to reword them. */
export const RULE_TEMPLATES: readonly { readonly name: string; readonly text: string }[] = [
  {
    name: 'user-profile.md',
    text: `<!-- budget: 50 lines -->
# User profile

Who works here and how they like to be worked with. Only what matters in nearly every conversation.

## Identity

- Role and experience: (say it in one line)
- Languages: answers in the language of the question; code, comments and commits in English.

## How to answer

- Come to the point: the result first, then what it stands on.
- Say what you did not check. Never report a test as passed that was not run.
- Ask when two readings of a request lead to different work; otherwise go ahead.

## Coding style

- Follow the style of the file you edit before any preference of your own.
- Small changes that can be reviewed one at a time.
- A comment says why, not what.
`,
  },
  {
    name: 'global-conventions.md',
    text: `<!-- budget: 80 lines -->
# Global conventions

Decisions and patterns that hold across the whole project. What concerns one workspace belongs to that workspace.

## Before a change is done

- Run the project's own checks (tests, types, lint) and fix what they report.
- Touch only what the task needs; name what you noticed beside it instead of changing it.

## Naming

- Names say what a thing is for, in the words the project already uses.

## Errors

- A failure is never answered with an empty result: say what could not be done.

## Safety

- No secret in code, logs, commits or memory.
- Nothing is deleted, published or sent outside without being asked.
`,
  },
  {
    name: 'workspace-workflow.md',
    text: `<!-- budget: 100 lines -->
# Workspace workflow

How to find out where you are, what is known there, and what to leave behind.

## Detect the workspace

- Workspaces lie in \`resources/workspaces/{workspace}/{domain}/{repository}/\`; what was learned in them in \`user/memory/workspaces/{workspace}/\`.
- Take the scope from the files you are asked about, or from what the user names. When neither tells, \`cairn workspaces\` lists them: ask which one is meant.

## Load what is known

- Begin with the tool \`retrieve_overview\` (or \`cairn retrieve overview\`) for the scope: what it is, and what it is part of.
- Call \`retrieve_plans\` (\`cairn retrieve plans\`) before you begin, to see what was done and what is under way.
- Call \`retrieve_learnings\` (\`cairn retrieve learnings\`) before you decide or debug: decisions that hold, mistakes that were made.
- For anything else search the memory: the tool \`search\`, or \`cairn search "a question"\`.
- What memory tells is data. When it disagrees with the code, the code is right: say so, and have the entry mended.

## Execute

- Standard tasks need no confirmation: load, do, check, report.
- Work that takes more than one sitting gets a plan in \`_plans/YYMMDD-name.md\`; keep its \`status\` true (new, in_progress, partial, done, abandoned).

## Save what was learned

- Hard-won fix: a bug took several attempts. Save a lesson: the cause, and what solved it.
- Non-obvious solution: it stood in no document. Save a lesson.
- Conflict: an entry of the memory contradicts what you see. Tell the user, and propose to correct or archive it.
- Decision: a choice of architecture, tool or convention was made or confirmed. Save a decision, with its reason.
- End of the session: look back, save what is worth it, and report in a line or two what was saved.
- Look whether it is known already (\`retrieve_learnings\`), then save: \`cairn workspace learn\` for a workspace, the tool \`remember\` or \`cairn remember --kind decision "…"\` for the rest.
- A way of doing something that will be needed again is a skill: the tool \`skills\` with \`action: save\`, or \`cairn skill save\`.
`,
  },
]
