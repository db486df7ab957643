/** A word with one of these extensions is a file anywhere. */
const EXTENSIONS = new Set(
  `ts tsx mts cts js jsx mjs cjs vue svelte astro py pyi ipynb rb erb rs go java kt kts scala groovy gradle cs csproj fs sln vb
   c h cc cpp cxx hpp m mm swift dart php pl pm lua r jl ex exs erl hs clj elm zig nim sol cu
   sh bash zsh fish ps1 bat cmd sql prisma graphql gql proto thrift avsc xsd wsdl
   json json5 jsonc jsonl jsonnet ndjson yaml yml toml ini cfg conf properties tf tfvars hcl nix cue plist xml
   html htm css scss sass less styl md mdx rst adoc txt tex csv tsv parquet avro pdf svg png jpg jpeg gif webp ico woff woff2
   lock pem crt tmpl tpl hbs ejs njk j2 http rest wasm zip tar gz tgz jar war whl deb rpm dockerfile mk cmake bzl storyboard xcodeproj`
    .split(/\s+/)
    .filter(word => word !== ''),
)
/** Extensions that also occur in code (`console.log`): a file only with a folder before them. */
const WITH_FOLDER_ONLY = new Set(
  'log map key env data snap test spec run local out bin http rest lock'.split(' '),
)
const NAMES =
  /^(?:Dockerfile(?:\.[\w-]+)?|Makefile|GNUmakefile|Procfile|Gemfile|Rakefile|Jenkinsfile|Vagrantfile|Brewfile|Justfile|Tiltfile|CODEOWNERS|go\.(?:mod|sum|work)|(?:Cargo|yarn|poetry|Gemfile|composer|flake|Podfile)\.lock|\.env(?:\.[\w.-]+)?|\.(?:gitignore|gitattributes|dockerignore|npmrc|nvmrc|yarnrc|editorconfig|prettierrc|eslintrc|babelrc|bashrc|zshrc|tool-versions|htaccess|npmignore)|CMakeLists\.txt)$/
/** Products whose names look like a file. */
const NO_FILE =
  /^(?:node|next|vue|nuxt|express|three|d3|react|ember|backbone|chart|p5|discord|socket|deno|bun|alpine)\.js$/i
/** Folders that a project's paths begin with: `src/jobs` is a path, `read/write` is not. */
const ROOTS = new Set(
  `src lib app apps packages pkg cmd internal test tests spec specs e2e docs doc infra config configs conf scripts services
   server client web frontend backend db database migrations k8s deploy charts helm terraform ansible tools
   public static assets templates views components pages routes modules crates examples fixtures features functions
   resources vendor node_modules dist build target bin etc worker workers monitoring proto api-gateway hooks styles locales`
    .split(/\s+/)
    .filter(word => word !== ''),
)
/** `lib/pq` is a package, `client/server` a pair of words: these need more than one level. */
const SHORT_OF_SENSE = new Set(
  'lib server client web static build target test spec db app worker resources'.split(' '),
)
const SYSTEM_ROOTS = /^\/(?:etc|var|usr|opt|home|tmp|srv|mnt|root|dev|proc|app|data|run)\/[\w./*-]+$/
const PATH = /^(?:~\/|\.{1,2}\/|\/)?(?:[\w@.+*{}[\]()~$-]+\/)*[\w@.+*{}[\]()~$-]*$/
const PLACE_BEHIND = /(?:(?::\d+){1,2}|::[\w:[\]-]+|#L?\d+(?:-L?\d+)?)$/
const MAX_CHARACTERS = 200

/** The path that a word is, as the project names it, or undefined. `./src\\a.ts:12` → `src/a.ts` */
export function filePathOf(word: string): string | undefined {
  if (word.length > MAX_CHARACTERS || word.length < 2) return undefined
  const bare = word.replace(PLACE_BEHIND, '').replace(/^\.[\\/]/, '')
  const path = bare.includes('/') ? bare : bare.replaceAll('\\', '/')
  if (!PATH.test(path) || path.includes('//')) return undefined
  const slash = path.lastIndexOf('/')
  const name = path.slice(slash + 1)
  if (NAMES.test(name)) return path
  if (hasExtension(name, slash >= 0)) return path
  return slash > 0 && isFolder(path) ? path : undefined
}

function hasExtension(name: string, hasFolder: boolean): boolean {
  const dot = name.lastIndexOf('.')
  if (dot < 0 || dot === name.length - 1) return false
  const extension = name.slice(dot + 1)
  if (!EXTENSIONS.has(extension) && !(hasFolder && WITH_FOLDER_ONLY.has(extension))) return false
  if (hasFolder) return true
  if (WITH_FOLDER_ONLY.has(extension) && !name.startsWith('*')) return false
  return dot > 0 && !NO_FILE.test(name) && /[A-Za-z*]/.test(name.slice(0, dot))
}

function isFolder(path: string): boolean {
  if (path.startsWith('/')) return SYSTEM_ROOTS.test(path)
  const [first = '', second = ''] = path.split('/')
  if (/^\.\w/.test(first)) return second !== ''
  const isDeep = path.indexOf('/', first.length + 1) > 0
  if (ROOTS.has(first)) return second !== '' && (isDeep || !SHORT_OF_SENSE.has(first))
  if (path.includes('*')) return true
  return path.endsWith('/') && second !== '' && /^[\w.-]+$/.test(first)
}

const CONFIGURATION =
  /\.(?:ya?ml|toml|ini|cfg|conf|properties|tf|tfvars|hcl|env|json5?|jsonc|jsonnet|nix|gradle|csproj)$|(?:^|\/)(?:Dockerfile|Makefile|Procfile|Gemfile|Jenkinsfile|go\.mod|requirements[\w-]*\.txt|\.env[\w.]*|\.[\w-]*rc)$|(?:config|rc|settings|conf)\.\w+$|(?:^|\/)\.\w[\w-]*\/[\w-]+\.(?:ts|js|mjs|cjs)$/i

/** Whether a file is a configuration file. */
export function isConfigurationFile(path: string): boolean {
  return CONFIGURATION.test(path)
}
