// What the generated texts are made of.

export const ENGLISH = (
  "the a of to in and is it that for on with as was at by an be this from or are not which have were but had can " +
  "has been one all when will there if out so would up about into than them only some could these two may then do " +
  "value field reader writer buffer request response handler session factory run attempt step journal snapshot " +
  "timeout retry cancel resume checkpoint limit token credit agent prompt model review finding severity suggestion " +
  "unchecked unreachable uninitialised overflow underflow race deadlock leak dangling shadowed deprecated missing " +
  "function argument parameter returns throws promise awaited callback listener stream socket header payload schema " +
  "migration database transaction index query cursor cache eviction lookup parser encoder decoder fallback default " +
  "consider replacing extracting renaming moving checking validating before after instead between without because"
).split(" ");

/** Words with at least one character outside ASCII: two, three and four bytes long. */
export const OTHER = (
  "naïve café größe Übergabe résumé façade señal año København Łódź → … “quoted” – ✓ ≤ ≠ µs €12 проверка ошибка " +
  "検証 失敗 关闭 超时 오류 😀 🚀 👩‍💻"
).split(" ");

/** Words of Chinese, Japanese and Korean text. */
export const CJK = (
  "工厂 运行 结果 错误 检查 数据 接口 服务 请求 响应 缓存 连接 超时 重试 取消 恢复 快照 日志 步骤 进度 并发 线程 内存 泄漏 " +
  "検証 失敗 成功 実行 結果 報告 入力 出力 確認 処理 例外 関数 引数 戻り値 文字列 配列 の は を に が と で から まで です ます " +
  "오류 결과 실행 검토 요청 응답 연결 시간 초과 다시 시도 중단 단계 기록 메모리 함수 문자열 그리고 하지만 때문에"
).split(" ");

export const CJK_PUNCTUATION = ["，", "。", "、", "；", "：", "！", "？"];

export const PATHS = (
  "src/index.ts src/server/session.ts src/server/handlers/run.ts lib/wire/reader.rs lib/wire/writer.rs cmd/gateway/main.go " +
  "internal/store/journal.go packages/agent/src/prompt.ts packages/agent/src/limits.ts tests/test_resume.py app/models/run.py"
).split(" ");

export const SEVERITIES = ["info", "low", "medium", "high", "critical"];
