// A plugin of clang-tidy: its checks visit our own code and not the headers of libraries, which
// take three quarters of their time and whose findings nobody is shown. The check reports nothing;
// it matches the translation unit, the first node of all, and narrows what is visited next.
#include <clang-tidy/ClangTidyCheck.h>
#include <clang-tidy/ClangTidyModule.h>
#include <clang-tidy/ClangTidyModuleRegistry.h>
#include <clang/AST/ASTContext.h>
#include <clang/ASTMatchers/ASTMatchFinder.h>

#include <vector>

namespace {

using clang::tidy::ClangTidyCheck;

class OwnCode : public ClangTidyCheck {
 public:
  using ClangTidyCheck::ClangTidyCheck;

  void registerMatchers(clang::ast_matchers::MatchFinder* finder) override {
    finder->addMatcher(clang::ast_matchers::translationUnitDecl().bind("unit"), this);
  }

  void check(const clang::ast_matchers::MatchFinder::MatchResult& found) override {
    std::vector<clang::Decl*> own;
    const auto* unit = found.Nodes.getNodeAs<clang::TranslationUnitDecl>("unit");
    for (clang::Decl* each : unit->decls()) {
      if (!found.SourceManager->isInSystemHeader(each->getLocation())) own.push_back(each);
    }
    found.Context->setTraversalScope(own);
  }
};

/// Registers the check when the library is loaded.
class OwnCodeModule : public clang::tidy::ClangTidyModule {
 public:
  void addCheckFactories(clang::tidy::ClangTidyCheckFactories& checks) override {
    checks.registerCheck<OwnCode>("tesela-own-code");
  }
};

const clang::tidy::ClangTidyModuleRegistry::Add<OwnCodeModule> kModule{"tesela", "Tesela"};

}  // namespace
